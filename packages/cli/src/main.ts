import module from 'node:module';

// Node 22 and newer keep compiled code between runs, which halves the time to start
(module as { enableCompileCache?(): void }).enableCompileCache?.();
const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
