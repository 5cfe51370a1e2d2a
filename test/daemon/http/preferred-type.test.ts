import t from 'tap'
import { prefersJson } from '../../../src/daemon/http/preferred-type.ts'

void t.test('clients that prefer JSON get it, all others get the page (RFC 9110, 12.5.1)', (t) => {
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
  for (const [accept, type, wanted] of [
    [undefined, undefined, false],
    ['', undefined, false],
    ['*/*', undefined, false],
    ['*/*', 'application/json; charset=utf-8', true],
    [undefined, 'application/json', true],
    [html, 'application/json', false],
    ['application/json', undefined, true],
    ['APPLICATION/JSON', undefined, true],
    ['application/json;q=0.9, */*;q=0.1', undefined, true],
    ['application/json;q=0.5, text/html', undefined, false],
    ['application/json;q=0', undefined, false],
    ['application/*', undefined, true],
    ['text/*;q=0.9, application/*;q=0.2', undefined, false],
    ['text/html;q=0, */*', undefined, true],
    ['application/json;q=x', undefined, false],
    [`${'a/b,'.repeat(10_000)}application/json`, undefined, false],
  ] as const) {
    t.equal(prefersJson({ accept, 'content-type': type }), wanted, `${accept?.slice(0, 60)} ${type}`)
  }
  t.end()
})
