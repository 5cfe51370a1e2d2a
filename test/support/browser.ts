import type { Test } from 'tap'
import { chromium, type Browser, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** Time limit of one step in milliseconds, enough for a fully loaded machine; the default is 30 s. */
const MAX_MILLISECONDS = 180_000

const VIEWPORT = { width: 1280, height: 800 }

const FLAGS = ['--no-sandbox', '--disable-gpu', '--headless=new', '--in-process-gpu', '--disable-background-networking']

const AUTOPLAY = { always: 'no-user-gesture-required', afterClick: 'document-user-activation-required' } as const

export type OpenPage = {
  page: Page
  /** Uncaught errors, console errors and blocked requests of the page. */
  complaints: string[]
}

export type TestBrowser = {
  /**
   * Opens a page in a separate browser context without stored data; closed at the end of the test.
   * @param prepare called before the address is opened
   */
  openPage: (t: Test, url: string, prepare?: (page: Page) => Promise<void>) => Promise<OpenPage>
}

/**
 * A headless Chromium for all tests of a file, because starting one takes longer than most tests. Closed at the end of the file's `t`.
 * @param options.autoplay `afterClick`: as browsers of people start playback. Each step of a test in a page counts as a click
 * @param options.hostName a name of this machine in the browser. Unlike 127.0.0.1, it is no secure context without TLS
 */
export async function startBrowser(
  t: Test,
  { autoplay = 'always', hostName }: { autoplay?: keyof typeof AUTOPLAY; hostName?: string } = {},
): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...FLAGS,
      `--autoplay-policy=${AUTOPLAY[autoplay]}`,
      ...(hostName === undefined ? [] : [`--host-resolver-rules=MAP ${hostName} 127.0.0.1`]),
    ],
    timeout: MAX_MILLISECONDS,
  })
  t.teardown(() => browser.close())
  return { openPage: (t, url, prepare) => openPage(t, browser, { url, prepare }) }
}

type Opening = { url: string; prepare: ((page: Page) => Promise<void>) | undefined }

async function openPage(t: Test, browser: Browser, { url, prepare }: Opening): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(MAX_MILLISECONDS)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // A picture that cannot be drawn is 404, and the page shows an initial.
    const isMissingPicture = message.location().url.includes('/api/v1/artwork/') && / 404 /.test(message.text())
    if (message.type() === 'error' && !isMissingPicture) complaints.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A player with a full buffer aborts its own requests.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${reason}`)
  })
  await prepare?.(page)
  await page.goto(url)
  return { page, complaints }
}
