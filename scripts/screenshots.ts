import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { ensureLibraries, scanLibraries } from './quickstart/libraries.ts'
import { findMediaFolders } from './quickstart/media-folders.ts'
import { phlixRunner, PROGRAM } from './quickstart/phlix.ts'
import { localAddress } from './quickstart/ready-message.ts'
import { startServer } from './quickstart/server.ts'
import { terminalPicture } from './screenshots/terminal-picture.ts'

/**
 * Makes the pictures of README.md in docs/images: the web page of a running server in Chromium, and the output of commands. Both use the
 * sample library in a temporary data directory. `npm run screenshots` runs it.
 */

const root = join(import.meta.dirname, '..')
const images = join(root, 'docs', 'images')
/** The commands of the terminal picture. */
const COMMANDS = [
  ['library:list'],
  ['library:scan', 'Movies'],
  ['media:list', '--library', 'Music'],
  ['media:inspect', 'Movies/Deep Zoom (2023).mkv'],
]
const VIEWPORT = { width: 1120, height: 660 }
const MAX_IMAGE_BYTES = 150_000
const ACCOUNT = 'admin'
const FILM = 'The Counting Clock'
/** Runs in the page: seeks, and waits until the picture of the new position is shown. */
const SEEK = `(async (video) => {
  if (video.readyState < 3) await new Promise((resolve) => video.addEventListener('canplay', resolve, { once: true }))
  video.pause()
  video.currentTime = 12
  await new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
})(document.querySelector('video'))`

const work = mkdtempSync(join(tmpdir(), 'phlix-screenshots-'))
// Under root the embedded PostgreSQL runs with another account, which must reach the data directory.
chmodSync(work, 0o755)
const media = join(work, 'media')
const shared = ['--data-dir', join(work, 'data')]
const phlix = phlixRunner(shared, say)

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => void server.close(resolve))
  return port
}

/** Creates the account. @returns its password */
async function createAccount(): Promise<string> {
  await phlix(['migrate'])
  const words = ['user:create', ACCOUNT, '--email', 'admin@localhost.localdomain', '--admin']
  const account = (await phlix(words)) as { generated: string }
  return account.generated
}

async function photographPage(address: string, password: string): Promise<Buffer> {
  const browser = await chromium.launch({
    executablePath: process.env['PHLIX_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  })
  try {
    const page = await browser.newPage({ viewport: VIEWPORT })
    await page.goto(address)
    await page.fill('#username', ACCOUNT)
    await page.fill('#password', password)
    await page.press('#password', 'Enter')
    await page.click(`.film:has-text("${FILM}")`)
    await page.click('#play')
    await page.evaluate(SEEK)
    return await page.screenshot()
  } finally {
    await browser.close()
  }
}

function photographCommands(): string {
  const runs = COMMANDS.map((words) => {
    const output = execFileSync(PROGRAM, [...words, ...shared], {
      encoding: 'utf8',
      cwd: media,
      env: { ...process.env, COLUMNS: '100', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return { words, output: output.replaceAll(work, '') }
  })
  return terminalPicture(runs)
}

async function main(): Promise<void> {
  execFileSync(join(root, 'scripts', 'make-sample-library.sh'), [media], { stdio: 'inherit' })
  const password = await createAccount()
  await scanLibraries(phlix, await ensureLibraries(phlix, findMediaFolders(media).folders), say)
  const [port, websocketPort] = [await freePort(), await freePort()]
  const server = startServer([...shared, '--port', `${port}`, '--websocket-port', `${websocketPort}`])
  try {
    const address = localAddress({ host: undefined, port })
    const isReady = await server.ready({ address, say, onNotReady: () => undefined })
    if (!isReady) throw new Error('the server ended')
    mkdirSync(images, { recursive: true })
    const picture = await photographPage(address, password)
    await sharp(picture).png({ palette: true, compressionLevel: 9 }).toFile(join(images, 'web-page.png'))
    writeFileSync(join(images, 'terminal.svg'), photographCommands())
  } finally {
    server.stop('SIGTERM')
    await server.ended
  }
  for (const name of ['web-page.png', 'terminal.svg']) {
    const { length } = readFileSync(join(images, name))
    if (length > MAX_IMAGE_BYTES) throw new Error(`${name} has ${length} bytes, more than ${MAX_IMAGE_BYTES}`)
    process.stdout.write(`docs/images/${name}: ${length} bytes\n`)
  }
}

try {
  await main()
} finally {
  rmSync(work, { recursive: true, force: true })
}
