import {fileURLToPath} from 'node:url';
import {defineConfig, mergeConfig, type UserConfig} from 'vite';
import served from './vite.config.ts';

// The page without a server (scripts/web-static): a worker in place of the WebSocket.
const local = fileURLToPath(new URL('src/static/connection.ts', import.meta.url));
export default defineConfig(mergeConfig(served as UserConfig, {
  resolve: {alias: [{find: /^.*\/connection$/, replacement: local}]},
  worker: {format: 'es', rollupOptions: {output: {entryFileNames: 'assets/worker.js'}}},
}));
