/** Writes small weight files of every type, version and byte order: the headers of a llama of one layer, with no data behind them. */

export interface GgufKind {
  version: 1 | 2 | 3;
  bigEndian: boolean;
  type: number;
}

class Bytes {
  private readonly parts: Uint8Array[] = [];
  constructor(private readonly kind: GgufKind) {}

  number(value: number | bigint, width: 4 | 8): void {
    const view = new DataView(new ArrayBuffer(width));
    if (width === 4) view.setUint32(0, Number(value), !this.kind.bigEndian);
    else view.setBigUint64(0, BigInt(value), !this.kind.bigEndian);
    this.parts.push(new Uint8Array(view.buffer));
  }
  size(value: number): void {
    this.number(value, this.kind.version === 1 ? 4 : 8);
  }
  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.size(bytes.length);
    this.parts.push(bytes);
  }
  raw(value: string): void {
    this.parts.push(new TextEncoder().encode(value));
  }
  whole(): Uint8Array {
    return Buffer.concat(this.parts);
  }
}

const hidden = 256;
const numbers: Record<string, number> = {
  "general.file_type": 1,
  "llama.block_count": 1,
  "llama.context_length": 4096,
  "llama.embedding_length": hidden,
  "llama.feed_forward_length": 512,
  "llama.attention.head_count": 4,
  "llama.attention.head_count_kv": 2,
};
/** Shapes as Hugging Face writes them: rows, columns. */
const shapes: Record<string, number[]> = {
  "token_embd.weight": [16, hidden],
  "blk.0.attn_norm.weight": [hidden],
  "blk.0.attn_q.weight": [hidden, hidden],
  "blk.0.attn_k.weight": [128, hidden],
  "blk.0.attn_v.weight": [128, hidden],
  "blk.0.attn_output.weight": [hidden, hidden],
  "blk.0.ffn_norm.weight": [hidden],
  "blk.0.ffn_gate.weight": [512, hidden],
  "blk.0.ffn_up.weight": [512, hidden],
  "blk.0.ffn_down.weight": [hidden, 512],
  "output_norm.weight": [hidden],
  "output.weight": [16, hidden],
};

export function ggufHeader(kind: GgufKind): Uint8Array {
  const out = new Bytes(kind);
  out.raw("GGUF");
  out.number(kind.version, 4);
  out.size(Object.keys(shapes).length);
  out.size(Object.keys(numbers).length + 2);
  out.text("general.architecture");
  out.number(8, 4);
  out.text("llama");
  for (const [key, value] of Object.entries(numbers)) {
    out.text(key);
    out.number(4, 4);
    out.number(value, 4);
  }
  out.text("tokenizer.ggml.tokens");
  out.number(9, 4);
  out.number(8, 4);
  out.size(3);
  for (const token of ["<s>", "</s>", "ä"]) out.text(token);
  for (const [name, shape] of Object.entries(shapes)) {
    out.text(name);
    out.number(shape.length, 4);
    for (const size of [...shape].reverse()) out.size(size);
    out.number(shape.length > 1 ? kind.type : 0, 4);
    out.number(0, 8);
  }
  return out.whole();
}

export interface SafetensorsEntry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** A safetensors header with a matrix of each given type (bits per element) beside the tensors of a llama of one layer. */
export function safetensorsHeader(extra: Record<string, number>): { bytes: Uint8Array; fileBytes: number } {
  const header: Record<string, SafetensorsEntry | Record<string, string>> = { __metadata__: { format: "pt" } };
  let at = 0;
  const add = (name: string, dtype: string, shape: number[], bits: number): void => {
    const bytes = (shape.reduce((a, b) => a * b, 1) * bits) / 8;
    header[name] = { dtype, shape, data_offsets: [at, at + bytes] };
    at += bytes;
  };
  const layer = "model.layers.0.";
  add("model.embed_tokens.weight", "BF16", [16, 256], 16);
  add("lm_head.weight", "BF16", [16, 256], 16);
  add("model.norm.weight", "BF16", [256], 16);
  for (const norm of ["input_layernorm", "post_attention_layernorm"]) add(`${layer}${norm}.weight`, "BF16", [256], 16);
  add(`${layer}self_attn.q_proj.weight`, "BF16", [256, 256], 16);
  add(`${layer}self_attn.k_proj.weight`, "BF16", [128, 256], 16);
  add(`${layer}self_attn.v_proj.weight`, "BF16", [128, 256], 16);
  add(`${layer}self_attn.o_proj.weight`, "BF16", [256, 256], 16);
  for (const name of ["gate", "up"]) add(`${layer}mlp.${name}_proj.weight`, "BF16", [512, 256], 16);
  add(`${layer}mlp.down_proj.weight`, "BF16", [256, 512], 16);
  for (const [dtype, bits] of Object.entries(extra)) add(`extra.${dtype}`, dtype, [8, 8], bits);
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new DataView(new ArrayBuffer(8));
  length.setBigUint64(0, BigInt(text.length), true);
  return { bytes: Buffer.concat([new Uint8Array(length.buffer), text]), fileBytes: 8 + text.length + at };
}
