import { zipOf, type ZipFileEntry } from '../core/probing/books/zip-writer.ts'

/** A package document (OPF) with these elements in its metadata. */
export function opfOf(metadata: string): string {
  return `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="2.0">
    <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">${metadata}</metadata>
    <manifest/><spine/></package>`
}

/** An EPUB whose package document contains these elements. */
export function epubOf(metadata: string): Buffer {
  const container = `<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>`
  return zipOf([
    { name: 'mimetype', bytes: 'application/epub+zip', isStored: true },
    { name: 'META-INF/container.xml', bytes: container },
    { name: 'OEBPS/content.opf', bytes: opfOf(metadata) },
  ])
}

/** A comic archive with this number of pages and the content of a ComicInfo.xml. */
export function cbzOf(pageCount: number, comicInfo: string): Buffer {
  const pages = Array.from({ length: pageCount }, (_, index): ZipFileEntry => ({
    name: `${index + 1}.jpg`,
    bytes: 'x',
  }))
  return zipOf([...pages, { name: 'ComicInfo.xml', bytes: `<ComicInfo>${comicInfo}</ComicInfo>` }])
}
