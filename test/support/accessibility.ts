import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Violation = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }

/**
 * Violations of the rules of axe on a page, as texts. The script is evaluated and not added as an element, which the content security policy
 * would refuse.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id} (${help}): ${html}\n${failureSummary}`),
  )
}
