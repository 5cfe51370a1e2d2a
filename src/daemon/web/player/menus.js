/**
 * The menus of the player. A menu with fewer than two choices is hidden.
 * @param {Record<string, HTMLSelectElement>} selects by menu, each in its label
 * @param {(menu: string, value: string) => void} onChoice
 */
export function createMenus(selects, onChoice) {
  for (const [menu, select] of Object.entries(selects)) {
    select.addEventListener('change', () => onChoice(menu, select.value))
  }

  return {
    /** Names of tracks come from files, so they are set as text. */
    show(choices, wishes) {
      for (const [menu, select] of Object.entries(selects)) {
        select.closest('label').hidden = choices[menu].length < 2
        select.replaceChildren(...choices[menu].map(({ value, label }) => new Option(label, value)))
        select.value = wishes[menu]
      }
    },
    hide() {
      for (const select of Object.values(selects)) select.closest('label').hidden = true
    },
    /** Goes to the next choice of a menu, and from the last to the first. */
    next(menu) {
      const select = selects[menu]
      if (select.length < 2) return
      select.selectedIndex = (select.selectedIndex + 1) % select.length
      onChoice(menu, select.value)
    },
  }
}
