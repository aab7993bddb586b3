import {defineConfig} from 'vite';

// `npm run dev` and `npm run preview` show the page beside a running `dealer serve`: its address without the token.
const server = process.env.DEALER_SERVER ?? 'http://127.0.0.1:8080';
const proxied = {target: server, changeOrigin: true, ws: true, headers: {Origin: server}};
const proxy = {'/api': proxied, '/files': proxied, '/ws': proxied};

// Fixed file names: the program embeds them, and a change of the sources shows as a change of the same files.
export default defineConfig({
  base: './',
  server: {proxy},
  preview: {proxy},
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/page.js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/page[extname]',
      },
    },
  },
  test: {include: ['test/**/*.test.ts']},
} as Parameters<typeof defineConfig>[0]);
