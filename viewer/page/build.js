// Bundle src/ and three.js into one classic script: node build.js OUTPUT
import { build } from "esbuild";

await build({
  entryPoints: ["src/main.js"],
  outfile: process.argv[2] ?? "viewer.js",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "inline",
  logLevel: "warning",
});
