import t from 'tap'
import { attachmentHeader } from '../../../src/daemon/http/attachment-header.ts'

void t.test('a file name becomes a header that no name can break out of', (t) => {
  for (const [name, header] of [
    ['A book.epub', 'attachment; filename="A book.epub"'],
    ['"; x=".pdf', `attachment; filename="_; x=_.pdf"; filename*=UTF-8''%22%3B%20x%3D%22.pdf`],
    ['a\r\nSet-Cookie: b', `attachment; filename="a__Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`],
    ["it's (1)*.pdf", 'attachment; filename="it\'s (1)*.pdf"'],
    ["é's (1)*", `attachment; filename="_'s (1)*"; filename*=UTF-8''%C3%A9%27s%20%281%29%2A`],
    ['50%41\\.pdf', `attachment; filename="50_41_.pdf"; filename*=UTF-8''50%2541%5C.pdf`],
    ['😀', `attachment; filename="_"; filename*=UTF-8''%F0%9F%98%80`],
    ['\uD800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
    ['', 'attachment; filename=""'],
  ] as const) {
    t.equal(attachmentHeader(name), header)
    t.match(attachmentHeader(name), /^[\u0020-\u007E]*$/)
  }
  t.end()
})
