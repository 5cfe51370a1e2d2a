import { basename } from 'node:path'
import type { ListrDefaultRendererLogLevels } from 'listr2'
import { describeProgress, completedShare, type Progress, type ProgressStatus } from './progress-status.ts'

const BAR_CELLS = 24

/**
 * A progress bar on the terminal, by listr2. Three defaults of listr2 are disabled: it writes to stdout, it checks stdout for a terminal,
 * and it ends the process on Ctrl-C before the work is cleaned up.
 */
export async function createBar({ title, allowColour }: { title: string; allowColour: boolean }): Promise<Progress> {
  const {
    DefaultRenderer,
    Listr,
    ListrDefaultRendererLogLevels: levels,
    ListrLogger,
    ProcessOutput,
  } = await import('listr2')

  class StderrRenderer extends DefaultRenderer {
    static override nonTTY = true
  }

  const finished = Promise.withResolvers<void>()
  let setTitle: (text: string) => void = () => {}
  const plain = Object.values(levels).map((level) => [level, (text = '') => text] as const)
  const list = new Listr(
    [
      {
        title,
        task: async (_context, task) => {
          setTitle = (text) => {
            task.title = text
          }
          await finished.promise
        },
      },
    ],
    {
      registerSignalListeners: false,
      renderer: StderrRenderer,
      rendererOptions: {
        clearOutput: true,
        formatOutput: 'truncate',
        logger: new ListrLogger<ListrDefaultRendererLogLevels>({
          useIcons: true,
          processOutput: new ProcessOutput(process.stderr, process.stderr),
        }),
        ...(allowColour ? {} : { color: Object.fromEntries(plain) }),
      },
    },
  )
  const running = list.run()
  return {
    update: (status) => setTitle(`${title} ${drawBar(status)}`),
    async end() {
      finished.resolve()
      await running
    },
  }
}

/**
 * `[########----------------]  33 %  504 of 1204, file`; without a total only the count. Long paths are cut at the start, because their end
 * is more informative.
 */
function drawBar({ done, total, currentPath }: ProgressStatus): string {
  const status = { done, total, currentPath: currentPath === null ? null : basename(currentPath) }
  const share = completedShare(status)
  if (share === null) return describeProgress(status)
  const filled = Math.round(share * BAR_CELLS)
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_CELLS - filled)
  return `[${bar}] ${String(Math.round(share * 100)).padStart(3)} %  ${describeProgress(status)}`
}
