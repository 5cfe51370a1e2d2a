import { basename, extname } from 'node:path'

/** The kind of a file by its name. Each library type accepts some kinds. A `sidecar` describes the media beside it. */
export type MediaFileKind = 'video' | 'audio' | 'photo' | 'book' | 'subtitle' | 'sidecar'

type FileType = readonly [contentType: string, kind?: MediaFileKind]

/** One row per known extension: its Content-Type and its kind of media. */
const FILE_TYPES: Readonly<Record<string, FileType>> = {
  '3g2': ['video/3gpp2', 'video'],
  '3gp': ['video/3gpp', 'video'],
  asf: ['video/x-ms-asf', 'video'],
  avi: ['video/x-msvideo', 'video'],
  divx: ['video/x-msvideo', 'video'],
  dv: ['video/dv', 'video'],
  f4v: ['video/mp4', 'video'],
  flv: ['video/x-flv', 'video'],
  m2ts: ['video/mp2t', 'video'],
  m2v: ['video/mpeg', 'video'],
  m4v: ['video/mp4', 'video'],
  mk3d: ['video/x-matroska', 'video'],
  mkv: ['video/x-matroska', 'video'],
  mov: ['video/quicktime', 'video'],
  mp4: ['video/mp4', 'video'],
  mpe: ['video/mpeg', 'video'],
  mpeg: ['video/mpeg', 'video'],
  mpg: ['video/mpeg', 'video'],
  mts: ['video/mp2t', 'video'],
  mxf: ['application/mxf', 'video'],
  ogm: ['video/ogg', 'video'],
  ogv: ['video/ogg', 'video'],
  rm: ['application/vnd.rn-realmedia', 'video'],
  rmvb: ['application/vnd.rn-realmedia-vbr', 'video'],
  tp: ['video/mp2t', 'video'],
  trp: ['video/mp2t', 'video'],
  ts: ['video/mp2t', 'video'],
  vob: ['video/mpeg', 'video'],
  webm: ['video/webm', 'video'],
  wmv: ['video/x-ms-wmv', 'video'],
  wtv: ['video/x-ms-wtv', 'video'],

  aac: ['audio/aac', 'audio'],
  ac3: ['audio/ac3', 'audio'],
  aif: ['audio/aiff', 'audio'],
  aiff: ['audio/aiff', 'audio'],
  ape: ['audio/x-ape', 'audio'],
  dsf: ['audio/x-dsf', 'audio'],
  dts: ['audio/vnd.dts', 'audio'],
  eac3: ['audio/eac3', 'audio'],
  flac: ['audio/flac', 'audio'],
  m4a: ['audio/mp4', 'audio'],
  m4b: ['audio/mp4', 'audio'],
  mka: ['audio/x-matroska', 'audio'],
  mp2: ['audio/mpeg', 'audio'],
  mp3: ['audio/mpeg', 'audio'],
  mpc: ['audio/x-musepack', 'audio'],
  oga: ['audio/ogg', 'audio'],
  ogg: ['audio/ogg', 'audio'],
  opus: ['audio/ogg', 'audio'],
  tta: ['audio/x-tta', 'audio'],
  wav: ['audio/wav', 'audio'],
  weba: ['audio/webm', 'audio'],
  wma: ['audio/x-ms-wma', 'audio'],
  wv: ['audio/x-wavpack', 'audio'],

  arw: ['image/x-sony-arw', 'photo'],
  avif: ['image/avif', 'photo'],
  bmp: ['image/bmp', 'photo'],
  cr2: ['image/x-canon-cr2', 'photo'],
  dng: ['image/x-adobe-dng', 'photo'],
  gif: ['image/gif', 'photo'],
  heic: ['image/heic', 'photo'],
  heif: ['image/heif', 'photo'],
  jpeg: ['image/jpeg', 'photo'],
  jpg: ['image/jpeg', 'photo'],
  jxl: ['image/jxl', 'photo'],
  nef: ['image/x-nikon-nef', 'photo'],
  nrw: ['image/x-nikon-nrw', 'photo'],
  pef: ['image/x-pentax-pef', 'photo'],
  png: ['image/png', 'photo'],
  srw: ['image/x-samsung-srw', 'photo'],
  tif: ['image/tiff', 'photo'],
  tiff: ['image/tiff', 'photo'],
  webp: ['image/webp', 'photo'],

  azw3: ['application/vnd.amazon.mobi8-ebook', 'book'],
  cb7: ['application/vnd.comicbook+7z', 'book'],
  cbr: ['application/vnd.comicbook-rar', 'book'],
  cbz: ['application/vnd.comicbook+zip', 'book'],
  epub: ['application/epub+zip', 'book'],
  mobi: ['application/x-mobipocket-ebook', 'book'],
  pdf: ['application/pdf', 'book'],

  ass: ['text/x-ssa', 'subtitle'],
  srt: ['application/x-subrip', 'subtitle'],
  ssa: ['text/x-ssa', 'subtitle'],
  vtt: ['text/vtt; charset=utf-8', 'subtitle'],

  cue: ['application/x-cue', 'sidecar'],
  nfo: ['text/x-nfo', 'sidecar'],
  opf: ['application/oebps-package+xml', 'sidecar'],

  json: ['application/json; charset=utf-8'],
  m3u8: ['application/vnd.apple.mpegurl'],
  xml: ['application/xml; charset=utf-8'],
}

/** Names of sidecars whose extension is not specific. */
const SIDECAR_NAMES: ReadonlySet<string> = new Set(['comicinfo.xml', 'desc.txt', 'metadata.json', 'reader.txt'])

function fileTypeOf(path: string): FileType | undefined {
  const extension = extname(path).slice(1).toLowerCase()
  return Object.hasOwn(FILE_TYPES, extension) ? FILE_TYPES[extension] : undefined
}

/** The `Content-Type` of a file by its extension; `application/octet-stream` for unknown extensions. */
export function contentTypeOfFile(path: string): string {
  return fileTypeOf(path)?.[0] ?? 'application/octet-stream'
}

/** The kind of media that a file holds or describes, by its name. Undefined for files that are not catalogued. */
export function mediaFileKind(path: string): MediaFileKind | undefined {
  return fileTypeOf(path)?.[1] ?? (SIDECAR_NAMES.has(basename(path).toLowerCase()) ? 'sidecar' : undefined)
}
