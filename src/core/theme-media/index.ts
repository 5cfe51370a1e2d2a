export { removeThemeMedia, getThemeMedia } from './get-theme-media.ts'
export { openThemeMedia } from './open-theme-media.ts'
export { scanThemeMedia } from './scan-theme-media.ts'
export { isThemeName, themeResource, THEME_KINDS, type ThemeKind, type ThemeMedia } from './theme-media.ts'
