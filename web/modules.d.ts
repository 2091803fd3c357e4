declare module "core.wasm?url" {
  const address: string;
  export default address;
}

declare module "core-full.wasm?url" {
  const address: string;
  export default address;
}
