import type { Test } from 'tap'
import { chromium, type Browser, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** Longer than a machine under full load needs for one step; the default is 30 s. */
const MAX_MILLISECONDS = 180_000

const VIEWPORT = { width: 1280, height: 800 }

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--headless=new',
  '--in-process-gpu',
  '--disable-background-networking',
  '--autoplay-policy=no-user-gesture-required',
]

export type OpenPage = {
  page: Page
  /** What the page complained about: uncaught errors, console errors, blocked loads. */
  complaints: string[]
}

export type TestBrowser = {
  /** A page in a context of its own: nothing that another page stored is there. It goes with the test. */
  openPage: (t: Test, url: string) => Promise<OpenPage>
}

/** A headless Chromium for all tests of a file: starting one costs more than most claims. It goes with the file's `t`. */
export async function startBrowser(t: Test): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: FLAGS,
    timeout: MAX_MILLISECONDS,
  })
  t.teardown(() => browser.close())
  return { openPage: (t, url) => openPage(t, browser, url) }
}

async function openPage(t: Test, browser: Browser, url: string): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(MAX_MILLISECONDS)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A player that has enough aborts its own requests.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${reason}`)
  })
  await page.goto(url)
  return { page, complaints }
}
