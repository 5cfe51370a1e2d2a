import { readFile } from 'node:fs/promises'

/** The WebAssembly program of PDFium, 5 MB. This module is imported at first use, so that only threads that render a page read it. */
export const PDFIUM_PROGRAM: Uint8Array = await readFile(new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
