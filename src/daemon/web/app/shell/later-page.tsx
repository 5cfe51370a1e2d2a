import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { PageFrame } from '../frame/page-frame.tsx'
import { texts } from '../messages/language.ts'

type Props<Properties> = {
  /** Loads the page; asked again after a failure. */
  load: () => Promise<FunctionComponent<Properties>>
  properties: Properties
}

/** A page whose script is loaded when it is opened. */
export function LaterPage<Properties extends object>({ load, properties }: Props<Properties>) {
  const [loaded, setLoaded] = useState<{ Page: FunctionComponent<Properties> }>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    load().then(
      (Page) => setLoaded({ Page }),
      () => setProblem(texts.pageNotLoaded),
    )
  }, [load])
  if (loaded !== undefined) return <loaded.Page {...properties} />
  const reply = { problem, isLoading: problem === undefined }
  return (
    <PageFrame title="" reply={reply} empty="">
      {null}
    </PageFrame>
  )
}
