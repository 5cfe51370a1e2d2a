import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { ByteSource } from '../../platform/files/index.ts'
import { UnreadableBook } from './probed-book.ts'

/** Maximum width of a displayed cover. The height limits the rendering of narrow pages. */
const WIDTH = 1280
const MAX_HEIGHT = 2560

const OPAQUE_WHITE = 0xff_ff_ff_ff
const HAS_ALPHA = 1

/** FPDF_ANNOT and FPDF_REVERSE_BYTE_ORDER of fpdfview.h: render annotations, in the byte order of PNG. */
const DRAWING_FLAGS = 0x01 | 0x10

/** Fast compression, because the picture is resized later. */
const PNG_LEVEL = 1

/** A field that the library's types omit from its first parameter. */
type Start = Parameters<typeof init>[0] & { wasmBinary: Uint8Array }

/**
 * Renders the first page of a PDF as PNG. PDFium runs as WebAssembly, so a hostile document reaches only the memory of this one
 * rendering, which the reader pool limits together with the time.
 * @throws UnreadableBook; AppError `file_unreadable` if the device reports an error
 */
export async function drawFirstPage(source: ByteSource): Promise<Uint8Array> {
  const { PDFIUM_PROGRAM } = await import('./pdfium-program.ts')
  const start: Start = { wasmBinary: PDFIUM_PROGRAM }
  const pdfium = await init(start)
  pdfium.PDFiumExt_Init()
  const access = openAccess(pdfium, source)
  const document = pdfium.FPDF_LoadCustomDocument(access.address, '')
  access.throwFailure()
  const page = document === 0 ? 0 : pdfium.FPDF_LoadPage(document, 0)
  access.throwFailure()
  if (page === 0) throw new UnreadableBook('damaged', 'the first page cannot be opened')
  const bytes = draw(pdfium, page)
  access.throwFailure()
  return bytes
}

/** Creates an FPDF_FILEACCESS of fpdfview.h: length, a function that reads a block, and its parameter. */
function openAccess(
  { pdfium }: WrappedPdfiumModule,
  source: ByteSource,
): { address: number; throwFailure: () => void } {
  let failure: unknown
  const fetchBlock = (_: number, position: number, target: number, size: number): number => {
    try {
      const bytes = source.read(position >>> 0, size)
      memoryOf(pdfium).set(bytes, target)
      return bytes.length === size ? 1 : 0
    } catch (error) {
      failure = error
      return 0
    }
  }
  const address = pdfium.wasmExports.malloc(12)
  pdfium.setValue(address, source.sizeBytes, 'i32')
  pdfium.setValue(address + 4, pdfium.addFunction(fetchBlock, 'iiiii'), 'i32')
  pdfium.setValue(address + 8, 0, 'i32')
  return {
    address,
    throwFailure: () => {
      if (failure !== undefined) throw failure
    },
  }
}

function draw(module: WrappedPdfiumModule, page: number): Uint8Array {
  const { pdfium } = module
  const [pageWidth, pageHeight] = [module.FPDF_GetPageWidthF(page), module.FPDF_GetPageHeightF(page)]
  if (!(pageWidth > 0 && pageHeight > 0)) throw new UnreadableBook('damaged', 'the first page has no size')
  const scale = Math.min(WIDTH / pageWidth, MAX_HEIGHT / pageHeight)
  const [width, height] = [pageWidth, pageHeight].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ]
  const bitmap = module.FPDFBitmap_Create(width, height, HAS_ALPHA)
  if (bitmap === 0) throw new UnreadableBook('too_large', 'the first page takes too much memory')
  module.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, OPAQUE_WHITE)
  module.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, DRAWING_FLAGS)
  const out = pdfium.wasmExports.malloc(4)
  const pixels = module.FPDFBitmap_GetBuffer(bitmap)
  const stride = module.FPDFBitmap_GetStride(bitmap)
  const length = module.EPDF_PNG_EncodeRGBA(pixels, width, height, stride, PNG_LEVEL, out)
  if (length === 0) throw new UnreadableBook('too_large', 'the first page cannot be kept as a picture')
  const at = pdfium.getValue(out, 'i32')
  return memoryOf(pdfium).slice(at, at + length)
}

/** Returns the memory of PDFium. The array is not cached, because it is replaced when the memory grows. */
function memoryOf(pdfium: object): Uint8Array {
  const memory: unknown = Reflect.get(pdfium, 'HEAPU8')
  if (memory instanceof Uint8Array) return memory
  throw new TypeError('PDFium has no memory')
}
