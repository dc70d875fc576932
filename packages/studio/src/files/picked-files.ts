/** Files a user gives to the page: picked, picked as a folder, or dropped, folders included. */
export interface PickedFile {
  /** '/' separated, from the dropped folder on. */
  path: string;
  file: File;
}

/** More than this is refused before it is read, bytes. */
export const LARGEST_DROP: number = 1 << 29;

export function pickFromInput(input: HTMLInputElement): PickedFile[] {
  return Array.from(input.files ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files of a drop. To be called inside the event, before anything is awaited: its items vanish afterwards. */
export async function pickFromDrop(transfer: DataTransfer): Promise<PickedFile[]> {
  const entries = Array.from(transfer.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null));
  const loose = Array.from(transfer.files, (file) => ({ path: file.name, file }));
  const picked: PickedFile[] = [];
  for (const entry of entries) if (entry) await walk(entry, picked);
  return picked.length > 0 ? picked : loose;
}

export function totalSize(picked: readonly PickedFile[]): number {
  return picked.reduce((sum, { file }) => sum + file.size, 0);
}

async function walk(entry: FileSystemEntry, picked: PickedFile[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    picked.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // a reader hands out a folder in portions, and an empty portion at the end
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return;
    for (const child of portion) await walk(child, picked);
  }
}
