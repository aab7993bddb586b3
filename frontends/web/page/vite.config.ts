import {defineConfig} from 'vite';

// Fixed file names: the program embeds them, and a change of the sources shows as a change of the same files.
export default defineConfig({
  base: './',
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
