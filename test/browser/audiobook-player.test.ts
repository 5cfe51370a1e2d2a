import { sql } from 'slonik'
import type { Page } from 'playwright-core'
import t from 'tap'
import { createAccount } from '../../src/core/accounts/index.ts'
import { pick } from '../support/app.ts'
import { startPageApp } from '../support/sockets.ts'
import { scanAudiobookLibrary } from '../support/audiobook-library.ts'
import { startBrowser } from '../support/browser.ts'
import { putAudio } from '../support/tagged-audio.ts'
import { waitUntil } from '../support/wait-until.ts'

const CHAPTERS = ['Landing', 'Low tide', 'Night'].map((title, index) => ({
  startSeconds: index * 60,
  endSeconds: (index + 1) * 60,
  title,
}))

const { openPage } = await startBrowser(t)
const server = await startPageApp(t)
const { services, ask, baseUrl } = server
const { token } = await server.registerUser()
const { idOf } = await scanAudiobookLibrary(t, services, {
  type: 'audiobook',
  fill: async (folder) => {
    const tags = { album: 'The Island', artist: 'A. Writer', composer: 'A. Reader' }
    await putAudio(folder, 'The Island.m4b', { tags, chapters: CHAPTERS, seconds: 180 })
    await putAudio(folder, 'Two Files/01.mp3', { seconds: 3 })
    await putAudio(folder, 'Two Files/02.mp3', { seconds: 20, hertz: 660 })
    await putAudio(folder, 'Evil.m4b', { tags: { album: 'Evil' }, seconds: 5 })
  },
})

async function readUrl(name: string): Promise<string> {
  const { json } = await ask('GET', `/api/v1/audiobooks/${idOf.get(name) ?? ''}`, { token })
  return `${baseUrl}${String(pick(json, 'audiobook', 'read_url'))}`
}

async function progressOf(name: string, who = token): Promise<unknown> {
  return (await ask('GET', `/api/v1/audiobooks/${idOf.get(name) ?? ''}/progress`, { token: who })).json
}

/** Saves a user's position on the server, as another device would. */
async function putPlace(name: string, who: string, place: [index: number, seconds: number]): Promise<unknown> {
  const body = { current_chapter_index: place[0], position_ms: place[1] * 1000 }
  await ask('POST', `/api/v1/audiobooks/${idOf.get(name) ?? ''}/progress`, { token: who, body })
  return progressOf(name, who)
}

/** Runs before the page's own scripts: counts violations of the content security policy. */
const COUNT_VIOLATIONS = `addEventListener('securitypolicyviolation', () => { globalThis.violations = (globalThis.violations ?? 0) + 1 })`

/** Opens the page of a book, signed in. `saved`: the positions that it has sent so far. */
async function listenTo(
  t: Parameters<typeof openPage>[0],
  name: string,
  username = 'user',
): Promise<{ page: Page; complaints: string[]; saved: unknown[] }> {
  const { page, complaints } = await openPage(t, baseUrl)
  await page.addInitScript(COUNT_VIOLATIONS)
  const saved: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/progress')) saved.push(request.postDataJSON())
  })
  await page.goto(await readUrl(name))
  await signIn(page, username)
  return { page, complaints, saved }
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.fill('#username', username)
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.waitForSelector('#book:not([hidden])')
}

async function registerListener(username: string): Promise<string> {
  const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false }
  return server.signIn((await createAccount(services, input)).id)
}

/** Polls an expression from outside, because the content security policy forbids evaluation in the page. */
async function until(page: Page, expression: string): Promise<void> {
  await waitUntil(expression, () => page.evaluate<boolean>(expression))
}

const violations = (page: Page) => page.evaluate('globalThis.violations ?? 0')
const position = (page: Page) => page.evaluate<number>(`document.querySelector('#audio').currentTime`)
const isPaused = (page: Page) => page.evaluate<boolean>(`document.querySelector('#audio').paused`)
const reaches = (page: Page, seconds: number) =>
  until(page, `document.querySelector('#audio').currentTime > ${seconds}`)

/** Waits for the position that the page saves. */
async function savedPlace(name: string, wanted: { current_chapter_index: number }): Promise<unknown> {
  let progress: unknown
  await waitUntil(`chapter ${wanted.current_chapter_index} is saved`, async () => {
    progress = await progressOf(name)
    return pick(progress, 'current_chapter_index') === wanted.current_chapter_index
  })
  return progress
}

void t.test('a book plays, seeks to a chapter, saves the position and resumes there after a reload', async (t) => {
  const { page, complaints } = await listenTo(t, 'The Island')
  t.equal(await page.textContent('#title'), 'The Island')
  t.equal(await page.textContent('#people'), 'A. Writer · read by A. Reader')
  t.strictSame(await page.locator('.chapter-title').allTextContents(), ['Landing', 'Low tide', 'Night'])
  await page.waitForSelector('#waveform[data-points]')
  await page.click('#play')
  await reaches(page, 0.3)
  t.equal(await page.getAttribute('#play', 'aria-label'), 'Pause')
  await page.click('.chapter >> nth=1')
  await reaches(page, 60.3)
  t.equal(await page.textContent('#now'), 'Low tide')
  t.equal(await page.getAttribute('.chapter >> nth=1', 'aria-current'), 'true')
  await page.click('#play')
  const saved = await savedPlace('The Island', { current_chapter_index: 1 })
  t.ok(Number(pick(saved, 'position_ms')) >= 300, JSON.stringify(saved))
  t.strictSame(pick(saved, 'completed_chapters'), [0])
  const before = await position(page)
  await page.reload()
  await page.waitForSelector('#book:not([hidden])')
  await reaches(page, 60)
  t.ok(Math.abs((await position(page)) - before) < 1, 'where it was')
  t.equal(await page.textContent('#now'), 'Low tide')
  t.ok(await isPaused(page))
  t.match(await page.textContent('#said'), /^You were at 1:0\d of 3:00\.$/)
  t.equal(await violations(page), 0)
  t.strictSame(complaints, [])
})

void t.test('hiding the page saves the position too', async (t) => {
  const { page } = await listenTo(t, 'The Island')
  await page.click('.chapter >> nth=2')
  await reaches(page, 120.2)
  await page.goto(`${baseUrl}/healthz`)
  t.match(await savedPlace('The Island', { current_chapter_index: 2 }), { completed_chapters: [0, 1] })
})

void t.test('opening, reloading and leaving a book save nothing before playback', async (t) => {
  const reader = await registerListener('reader')
  const before = await putPlace('The Island', reader, [1, 30])
  const { page, complaints, saved } = await listenTo(t, 'The Island', 'reader')
  await page.waitForSelector('#waveform[data-points]')
  await until(page, `document.querySelector('#audio').currentTime === 90`)
  t.equal(await page.textContent('#elapsed'), '1:30')
  t.equal(await page.textContent('#now'), 'Low tide')
  await page.keyboard.press(']')
  t.equal(await page.textContent('#speed'), '1.1×', 'another speed is no other place')
  await page.reload()
  await page.waitForSelector('#waveform[data-points]')
  t.strictSame(complaints, [])
  await page.goto(`${baseUrl}/healthz`)
  t.strictSame(saved, [])
  t.strictSame(await progressOf('The Island', reader), before)
})

void t.test('a position that is changed without playback is saved, even if the server fails once', async (t) => {
  const seeker = await registerListener('seeker')
  const { page, saved } = await listenTo(t, 'The Island', 'seeker')
  await page.route(/\/progress$/, (route) => route.fulfill({ status: 503, json: { error: 'Busy.' } }), { times: 1 })
  for (const key of ['n', 'n', 'ArrowRight']) await page.keyboard.press(key)
  const place = { current_chapter_index: 2, position_ms: 30_000 }
  await until(page, `document.querySelector('#audio').currentTime === 150`)
  await waitUntil('the place is sent again', () => saved.length > 1)
  await waitUntil(
    'the place is saved',
    async () => Number(pick(await progressOf('The Island', seeker), 'percent_complete')) > 0,
  )
  t.match(await progressOf('The Island', seeker), { ...place, completed_chapters: [0, 1] }, JSON.stringify(saved))
})

void t.test('the next user of the same tab gets no data of the previous one', async (t) => {
  const [first, second] = [await registerListener('first'), await registerListener('second')]
  const { page, complaints, saved } = await listenTo(t, 'The Island', 'first')
  await page.selectOption('#sleep', '15')
  await page.click('.chapter >> nth=1')
  await reaches(page, 62)
  await page.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  t.equal(await page.getAttribute('#audio', 'src'), null, 'no file is left to play')
  t.ok(await isPaused(page))
  t.match(
    await progressOf('The Island', first),
    { current_chapter_index: 1 },
    'it was saved for the account that listened',
  )
  saved.length = 0
  await signIn(page, 'second')
  await page.waitForSelector('#waveform[data-points]')
  await until(page, `document.querySelector('#audio').readyState > 0`)
  t.equal(await position(page), 0)
  t.ok(await isPaused(page))
  t.equal(await page.textContent('#elapsed'), '0:00')
  t.equal(await page.textContent('#now'), 'Landing')
  t.equal(await page.getAttribute('#play', 'aria-label'), 'Play')
  t.equal(await page.inputValue('#sleep'), '')
  await page.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  t.strictSame(saved, [])
  t.match(await progressOf('The Island', second), { code: 'audiobook_progress_not_found' })
  await signIn(page, 'first')
  await until(page, `document.querySelector('#audio').currentTime >= 62`)
  t.equal(await page.textContent('#now'), 'Low tide', 'and the first one continues')
  t.strictSame(complaints, [])
})

void t.test('a position in a removed chapter does not prevent opening the book', async (t) => {
  const { page, complaints } = await openPage(t, baseUrl)
  await page.goto(await readUrl('The Island'))
  await page.route(/\/read$/, async (route) => {
    const reply = await route.fetch()
    const body = (await reply.json()) as object
    const progress = { current_chapter_index: 7, position_ms: 9000, book_position_ms: 120_000, percent_complete: 75 }
    await route.fulfill({ response: reply, json: { ...body, progress } })
  })
  await signIn(page, 'user')
  await until(page, `document.querySelector('#audio').currentTime === 120`)
  t.equal(await page.textContent('#now'), 'Night')
  t.equal(await page.textContent('#problem'), '')
  t.strictSame(complaints, [])
})

void t.test('every control works with the keyboard, and the focus is visible', async (t) => {
  const { page, complaints } = await listenTo(t, 'The Island')
  t.equal(await page.evaluate('document.activeElement.id'), 'play', 'the first key plays')
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('p')
  await page.keyboard.press('p')
  await page.keyboard.press('p')
  await until(page, `document.querySelector('#now').textContent === 'Landing'`)
  await page.keyboard.press('Space')
  await until(page, `!document.querySelector('#audio').paused`)
  await page.keyboard.press('k')
  await until(page, `document.querySelector('#audio').paused`)
  // The element has no position of its own until the file is loaded.
  await until(page, `document.querySelector('#audio').readyState > 0`)
  const start = await position(page)
  await page.keyboard.press('ArrowRight')
  t.ok(Math.abs((await position(page)) - start - 30) < 0.5, '30 s forward')
  await page.keyboard.press('ArrowLeft')
  t.ok(Math.abs((await position(page)) - start) < 0.5, '30 s back')
  await page.keyboard.press('ArrowLeft')
  t.equal(await position(page), 0, 'never before the beginning')
  await page.keyboard.press('Shift+ArrowRight')
  t.equal(await page.textContent('#now'), 'Low tide')
  await page.keyboard.press('n')
  t.equal(await page.textContent('#now'), 'Night')
  await page.keyboard.press('n')
  t.equal(await page.textContent('#now'), 'Night', 'the last chapter has no next')
  for (const key of [']', ']', '[', ']']) await page.keyboard.press(key)
  t.equal(await page.textContent('#speed'), '1.2×')
  for (let count = 0; count < 30; count += 1) await page.keyboard.press(']')
  t.equal(await page.textContent('#speed'), '3×')
  for (let count = 0; count < 40; count += 1) await page.keyboard.press('[')
  t.equal(await page.textContent('#speed'), '0.5×')
  await page.keyboard.press('\\')
  t.equal(await page.textContent('#speed'), '1×')
  await page.keyboard.press('ArrowDown')
  t.equal(await page.textContent('#said'), 'Volume 95 %')
  await page.keyboard.press('?')
  await page.waitForSelector('dialog[open]')
  await page.keyboard.press(']')
  t.equal(await page.textContent('#speed'), '1×', 'a dialog has the keys for itself')
  await page.keyboard.press('Escape')
  await page.focus('#seek')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(`getComputedStyle(document.querySelector('#timeline')).outlineStyle`)
  t.equal(outline, 'solid', 'the timeline shows that it has the focus')
  t.match(await page.getAttribute('#seek', 'aria-valuetext'), /^2 minutes.* of 3 minutes, Night$/)
  await page.focus('.chapter >> nth=0')
  await page.keyboard.press('Space')
  await until(page, `document.querySelector('#now').textContent === 'Landing'`)
  t.strictSame(complaints, [])
})

void t.test('the sleep timer ends with the chapter', async (t) => {
  const { page } = await listenTo(t, 'The Island')
  await page.selectOption('#sleep', 'chapter')
  await page.click('.chapter >> nth=0')
  await until(
    page,
    `document.querySelector('#audio').currentTime > 0.1 && document.querySelector('#audio').currentTime < 30`,
  )
  await page.evaluate(`document.querySelector('#audio').currentTime = 58.5`)
  await until(page, `document.querySelector('#audio').paused`)
  t.ok(Math.abs((await position(page)) - 60) < 2)
  t.equal(await page.inputValue('#sleep'), '')
  t.equal(await page.textContent('#said'), 'Good night.')
})

void t.test('a book in two files plays as one, and ends with the second file', async (t) => {
  const { page, complaints } = await listenTo(t, 'Two Files')
  t.equal(await page.locator('.chapter').count(), 2)
  await page.click('#play')
  await until(page, `document.querySelector('#audio').src.endsWith('&part=1')`)
  await reaches(page, 0.2)
  t.equal(await page.getAttribute('.chapter >> nth=1', 'aria-current'), 'true')
  await page.keyboard.press('ArrowRight')
  await until(page, `document.querySelector('#audio').ended`)
  for (;;) if (pick(await progressOf('Two Files'), 'percent_complete') === 100) break
  await page.reload()
  await page.waitForSelector('#book:not([hidden])')
  t.equal(await page.textContent('#elapsed'), '0:00', 'a book that was heard begins again')
  t.strictSame(complaints, [])
})

void t.test('titles that hold markup do nothing (BR-01, BR-02)', async (t) => {
  const evil = `</script><img src=x onerror=alert(1)><script>alert(2)</script>"'><svg onload=alert(3)>\u2028<!--\${alert(4)}`
  const chapters = JSON.stringify([{ startSeconds: 0, endSeconds: 5, title: evil }])
  const said = JSON.stringify({ author: evil, narrator: evil, series: evil })
  await services.db.query(sql.unsafe`
    update media_items set name = ${evil}, local_metadata = ${said}::jsonb, chapters = ${chapters}::jsonb
    where id = ${idOf.get('Evil') ?? ''}`)
  const { page, complaints } = await listenTo(t, 'Evil')
  let alerts = 0
  page.on('dialog', (dialog) => {
    alerts += 1
    void dialog.dismiss()
  })
  await page.click('#play')
  await reaches(page, 0.2)
  await page.hover('#timeline')
  t.equal(await page.textContent('#title'), evil)
  t.equal(await page.textContent('.chapter-title'), evil)
  t.equal(await page.locator('main img:not(#cover-picture), main script, main svg[onload]').count(), 0)
  t.equal(alerts, 0)
  t.equal(await violations(page), 0, 'nothing had to be refused')
  t.strictSame(complaints, [])
})

void t.test('on a phone the page is as wide as the phone', async (t) => {
  const { page } = await listenTo(t, 'The Island')
  await page.setViewportSize({ width: 360, height: 740 })
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  for (const id of ['play', 'back', 'forward', 'previous', 'next', 'slower', 'faster', 'sleep', 'seek']) {
    const box = await page.locator(`#${id}`).boundingBox()
    t.ok(box !== null && box.x >= 0 && box.x + box.width <= 360 && box.height >= 24, id)
  }
})

void t.test('a user signs in on the page; an expired URL is refused', async (t) => {
  const { page } = await openPage(t, await readUrl('The Island'))
  await page.waitForSelector('#sign-in:not([hidden])')
  await page.fill('#username', 'user')
  await page.fill('#password', 'wrong horse')
  await page.press('#password', 'Enter')
  await until(page, `document.querySelector('#problem').textContent !== ''`)
  t.equal(await page.textContent('#problem'), 'Name or password is not right.')
  t.equal(await page.evaluate('document.cookie'), '')
  const stale = (await readUrl('The Island')).replace(/exp=\d+/, 'exp=1000')
  t.equal((await ask('GET', stale.slice(baseUrl.length))).status, 403)
})

void t.test('the built-in page opens audiobooks in their own page', async (t) => {
  const { page } = await openPage(t, baseUrl)
  await page.fill('#username', 'user')
  await page.fill('#password', 'correct horse')
  await page.press('#password', 'Enter')
  await page.click('.film:has-text("The Island")')
  await page.waitForSelector('#book:not([hidden])')
  t.equal(await page.textContent('#title'), 'The Island', 'signed in already')
})

void t.test('signing out in another tab stops the book and removes it', async (t) => {
  await registerListener('leaver')
  const { page, complaints } = await listenTo(t, 'The Island', 'leaver')
  await page.click('#play')
  await waitUntil('the book plays', () => page.evaluate(`!document.querySelector('audio').paused`))
  const other = await page.context().newPage()
  await other.goto(baseUrl)
  await other.click('#sign-out')
  await page.waitForSelector('#sign-in:not([hidden])')
  t.notOk(await page.isVisible('#book'))
  t.ok(await page.evaluate(`document.querySelector('audio').paused`))
  t.equal(await page.textContent('#problem'), 'You have signed out in another tab.')
  t.strictSame(complaints, [])
})
