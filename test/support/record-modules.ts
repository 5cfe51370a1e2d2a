import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Loaded with --import before the entry file: at the exit of the process it writes the URLs of all modules that were loaded, one per line,
// to the file that LOADED_MODULES_FILE names.
const urls: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    urls.push(url)
    return nextLoad(url, context)
  },
})
process.once('exit', () => writeFileSync(process.env['LOADED_MODULES_FILE'] ?? '/dev/null', urls.join('\n')))
