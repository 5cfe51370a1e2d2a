/** The bar of the page stays at the top and covers what is below it. */
export const barHeight = (): number => document.querySelector<HTMLElement>('.bar')?.offsetHeight ?? 0

/** What is playing stays at the bottom. */
export const footHeight = (): number => document.getElementById('now-playing')?.offsetHeight ?? 0

/** Where an element begins in the page, however far the page is scrolled. */
export const pageTopOf = (element: HTMLElement): number => element.getBoundingClientRect().top + scrollY
