import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { DRAW_CONCURRENCY } from './draw-concurrency.ts'

// The settings of sharp apply to the process. This module is imported at first use, because commands do not need sharp.
const RASTER_FORMATS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif']
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: RASTER_FORMATS.flatMap((name) => [`VipsForeignLoad${name}File`, `VipsForeignLoad${name}Buffer`]),
})
sharp.cache(false)
sharp.concurrency(Math.max(1, Math.floor(availableParallelism() / DRAW_CONCURRENCY)))

/** sharp, with only the loaders of raster pictures enabled. */
export { sharp }
