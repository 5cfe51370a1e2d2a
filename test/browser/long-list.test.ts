import type { Page } from 'playwright-core'
import t from 'tap'
import { startBrowser } from '../support/browser.ts'
import { startPageApp } from '../support/sockets.ts'
import { waitUntil } from '../support/wait-until.ts'

const COUNT = 100_000
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } }

const server = await startPageApp(t)
const { openPage } = await startBrowser(t)
await server.registerUser()

const rowAt = (index: number) => ({
  id: `id-${index}`,
  name: `Title ${index}`,
  type: 'movie',
  poster_url: null,
  poster_srcset: null,
  year: null,
})

/** Answers the lists of a library of that size in the place of the server, whose own would have to be filled first. */
async function answerLists(page: Page): Promise<void> {
  await page.route('**/api/v1/media?*', (route) => {
    const query = new URL(route.request().url()).searchParams
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))]
    const items = Array.from({ length: Math.min(limit, COUNT - offset) }, (_, row) => rowAt(offset + row))
    return route.fulfill({ json: { items, total: COUNT, limit, offset } })
  })
  await page.route('**/api/v1/media/letter-index?*', (route) =>
    route.fulfill({
      json: {
        letters: ['A', 'M', 'Z'].map((letter, at) => ({ letter, offset: at * 40_000, count: 40_000 })),
        total: COUNT,
      },
    }),
  )
}

const shows = (page: Page, title: string): Promise<void> =>
  waitUntil(`${title} is visible`, () =>
    page.evaluate<boolean>(`[...document.querySelectorAll('#list .title')].some((title) => {
      const { top, bottom } = title.getBoundingClientRect()
      return title.textContent === ${JSON.stringify(title)} && top >= 0 && bottom <= innerHeight
    })`),
  )

const isFocused = (page: Page, title: string): Promise<void> =>
  waitUntil(`${title} has the focus`, () =>
    page.evaluate<boolean>(`document.activeElement?.querySelector('.title')?.textContent === ${JSON.stringify(title)}`),
  )

for (const [name, viewport] of Object.entries(SIZES))
  void t.test(`a list of 100,000 titles is walked by keys, letters and the scroll bar (${name})`, async (t) => {
    const { page, complaints } = await openPage(t, server.baseUrl, async (before) => {
      await before.setViewportSize(viewport)
      await answerLists(before)
    })
    await page.fill('#username', 'user')
    await page.fill('#password', 'correct horse')
    await page.press('#password', 'Enter')
    await page.click('#libraries a:text-is("All titles")')
    await shows(page, 'Title 0')
    t.equal(await page.textContent('#count'), '100,000 titles')
    const cards = (): Promise<number> => page.locator('#list li').count()
    t.ok((await cards()) < 80, 'few of them are in the document')
    t.ok(await page.evaluate<boolean>('document.documentElement.scrollHeight < 8_010_000'))
    t.equal(await page.getAttribute('#list li >> nth=0', 'aria-setsize'), '100000')

    await page.focus('#list .film')
    await page.keyboard.press('ArrowRight')
    await isFocused(page, 'Title 1')
    await page.keyboard.press('End')
    await isFocused(page, 'Title 99999')
    await shows(page, 'Title 99999')
    t.ok((await cards()) < 80)
    await page.keyboard.press('ArrowLeft')
    await isFocused(page, 'Title 99998')
    await page.keyboard.press('Home')
    await isFocused(page, 'Title 0')
    await shows(page, 'Title 0')

    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await shows(page, 'Title 99999')
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)')
    await waitUntil('the middle is shown', () =>
      page.evaluate<boolean>(`[...document.querySelectorAll('#list .title')].some(({ textContent }) =>
        Math.abs(Number(textContent.slice(6)) - 50_000) < 200)`),
    )
    if (name === 'desktop') {
      await page.click('.letter:text-is("M")')
      await shows(page, 'Title 40000')
    }

    const [top, title] = await page.evaluate<[number, string]>(`[scrollY, [...document.querySelectorAll('#list .film')]
      .find((card) => card.getBoundingClientRect().top > 200).querySelector('.title').textContent]`)
    await page.click(`#list .film:has(.title:text-is("${title}"))`)
    await waitUntil('the page of the title is shown', () => page.isVisible('#list-back'))
    await page.goBack()
    await shows(page, title)
    await isFocused(page, title)
    t.equal(await page.evaluate('scrollY'), top, 'at the same pixel')
    t.strictSame(
      complaints.filter((complaint) => !/ 404 /.test(complaint)),
      [],
    )
  })
