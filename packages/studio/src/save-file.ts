/** Give the user a file. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A name for files, from the name of a scene. */
export function fileNameOf(name: string): string {
  return name.replace(/[^\w.-]+/g, '-');
}
