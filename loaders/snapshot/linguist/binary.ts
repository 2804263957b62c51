/** Endings of formats that hold no text; what else is binary shows when it is read. */
export const binaryExtensions: ReadonlySet<string> = new Set(
  (
    '7z a aac ai aiff apk ar avi avif bin bmp bz2 cab class cur dat db deb dex dll dmg doc docx dylib ear eot exe flac flv gif ' +
    'gz heic ico icns img ipa iso jar jks jpeg jpg keystore lib lz lz4 lzma m4a m4v mkv mo mov mp3 mp4 mpeg mpg msi node npy ' +
    'npz o obj odp ods odt ogg ogv onnx opus otf parquet pdb pdf pickle pkl png ppt pptx psd pyc pyd pyo rar rpm sketch snap ' +
    'so sqlite sqlite3 swf tar tflite tgz tif tiff ttc ttf war wasm wav webm webp whl wmv woff woff2 xls xlsx xz zip zst'
  )
    .split(' ')
    .map((extension) => `.${extension}`),
);
