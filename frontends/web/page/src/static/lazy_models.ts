/** The part of Emscripten's file system that is needed here. */
export interface FileSystem {
  mkdirTree(path: string): void;
  writeFile(path: string, text: string): void;
  createFile(folder: string, name: string, properties: object, read: boolean, write: boolean): FileNode;
}
interface FileNode {
  contents: Uint8Array;
  usedBytes: number;
  stream_ops: StreamOps;
}
type Read = (stream: unknown, buffer: Uint8Array, offset: number, length: number, position: number) => number;
interface StreamOps {
  read: Read;
}

/** A file of weights, of which only the beginning is there: what it is for, and what is in it. */
export interface Model {
  name: string;
  size: number;
  /** In base 64. */
  header: string;
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));

/** Fetches at once: whoever reads a file cannot wait. Workers alone may. */
function fetchNow(address: string): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(`${address} could not be loaded: ${request.status}`);
  return new Uint8Array(request.response as ArrayBuffer);
}

/** Puts the models into a folder. A model is fetched when more than its header is read. */
export function addModels(fs: FileSystem, folder: string, models: Model[], addressOf: (name: string) => string): void {
  fs.mkdirTree(folder);
  for (const model of models) {
    const node = fs.createFile(folder, model.name, {}, true, false);
    const plain = node.stream_ops;
    const header = bytesOf(model.header);
    node.contents = header;
    node.usedBytes = model.size;
    const read: Read = (stream, buffer, offset, length, position) => {
      if (node.contents === header && position < header.length)
        return plain.read(stream, buffer, offset, Math.min(length, header.length - position), position);
      if (node.contents === header) node.contents = fetchNow(addressOf(model.name));
      return plain.read(stream, buffer, offset, length, position);
    };
    node.stream_ops = {...plain, read};
  }
}
