import type { FunctionComponent, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface LazyPanelProps<P> {
  /** Fetches the script of the panel. */
  load: () => Promise<FunctionComponent<P>>;
  /** What the panel is given. */
  with: P;
}

/** A panel whose script comes when it is first shown. */
export function LazyPanel<P extends object>({ load, with: given }: LazyPanelProps<P>): JSX.Element | null {
  const [Panel, setPanel] = useState<FunctionComponent<P> | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    void load().then((loaded) => isWanted && setPanel(() => loaded));
    return () => {
      isWanted = false;
    };
  }, []);
  return Panel ? <Panel {...given} /> : null;
}
