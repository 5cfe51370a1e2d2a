import { join } from 'node:path'
import { keepWebPages } from './web-pages/keep-web-pages.ts'

// `npm run pages`
await keepWebPages(join(import.meta.dirname, '..'))
