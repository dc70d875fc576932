import { serve } from './serve.ts';

await serve();
process.exit(0);
