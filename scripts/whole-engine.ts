// Loads every part of the engine before a test file that shares its process with others.
import '@nexdyn/engine';
