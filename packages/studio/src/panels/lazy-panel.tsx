import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface LazyPanelProps<P> {
  /** Fetches the script of the panel. */
  load: () => Promise<FunctionComponent<P>>;
  /** What the panel is given. */
  with: P;
  /** Shown below the panel, and not before it: nothing moves down when the panel comes. */
  children?: ComponentChildren;
  /** Told when the panel is there. */
  onReady?: () => void;
}

type Load = () => Promise<unknown>;

/** Panels whose script has come, by the function that fetched it. */
const loaded = new WeakMap<Load, unknown>();

/** Fetch the script of a panel that will probably be wanted, so that it opens at once. */
export async function fetchPanel<P>(load: () => Promise<FunctionComponent<P>>): Promise<FunctionComponent<P>> {
  const Panel = await load();
  loaded.set(load, Panel);
  return Panel;
}

/** A panel whose script comes when it is first shown. */
export function LazyPanel<P extends object>({
  load,
  with: given,
  children,
  onReady,
}: LazyPanelProps<P>): JSX.Element | null {
  const [Panel, setPanel] = useState(() => loaded.get(load) as FunctionComponent<P> | undefined);
  useEffect(() => {
    if (Panel) {
      onReady?.();
      return undefined;
    }
    let isWanted = true;
    void fetchPanel(load).then((panel) => isWanted && setPanel(() => panel));
    return () => {
      isWanted = false;
    };
  }, [Panel]);
  if (!Panel) return null;
  return (
    <>
      <Panel {...given} />
      {children}
    </>
  );
}
