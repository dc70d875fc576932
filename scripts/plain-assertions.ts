// Assertions without proxies, which would only catch names that the type check knows to be wrong: a quarter of the time of each.
import { chai } from 'vitest';

chai.config.useProxy = false;
