// Draws meshes with three.js. Browsers give a page about sixteen drawing contexts, so there is one for all cards: each picture is
// drawn on its canvas and copied to the card's own. Colours are drawn as they were logged, without colour management.
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  ColorManagement,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  LinearSRGBColorSpace,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  PointLight,
  Points,
  PointsMaterial,
  Scene,
  WebGLRenderer,
  type Light,
  type Material,
} from 'three';
import type { DecodedMesh } from '../../wire/mesh-frame';
import { centreOf, type Box } from './box';
import type { LoggedLight, LoggedMaterial } from './logged-scene';
import type { Surface } from './mesh-settings';
import type { Camera } from './orbit';
import { coarseFaces, spreadOrder } from './thinned';

ColorManagement.enabled = false;

export interface Look {
  readonly surface: Surface;
  readonly isFlat: boolean;
  /** Of each vertex; null: all have the one below. */
  readonly colours: Uint8Array<ArrayBuffer> | null;
  readonly colour: string;
  /** In pixels of the canvas; 0: as it was logged, or by how many there are. */
  readonly pointPx: number;
  readonly material: LoggedMaterial | null;
  readonly lights: readonly LoggedLight[] | null;
}

export interface View {
  readonly camera: Camera;
  readonly fovDeg: number;
  /** In pixels of the canvas. */
  readonly width: number;
  readonly height: number;
  /** How many are being moved together; 0: it stands still, and everything is drawn. */
  readonly movingCount: number;
}

/** A frame that is in time, with all pictures that move together. */
const MOVING_MS = 30;
/** Points or faces that are drawn in that time: a first guess, for a machine without a graphics card. */
const QUICK_AT_FIRST = 60_000;
const QUICK_LEAST = 25_000;
/** Edges are smoothed by drawing twice as large, where the drawing context does not smooth them. */
const SMOOTHED_MOST = 300_000;
const COARSE_CELLS = 96;
/** Lights of three.js were this much brighter when the format was made. */
const LIGHT_SCALE = Math.PI;
const ROUND_FROM_PX = 3;
const MOST_TEXTURE_PX = 4096;
const MOST_MATERIALS = 64;

interface Drawing {
  readonly canvas: HTMLCanvasElement;
  readonly context: WebGL2RenderingContext;
  readonly isSmooth: boolean;
}

/** Has smooth edges where there is a graphics card: without one they cost many times what all else does. Throws without WebGL. */
function drawingContext(): Drawing {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2', { antialias: false });
  if (context === null) throw new Error('no WebGL');
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(context.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
  if (/swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer))
    return { canvas, context, isSmooth: false };
  const smooth = document.createElement('canvas');
  const better = smooth.getContext('webgl2', { antialias: true, failIfMajorPerformanceCaveat: true });
  if (better === null) return { canvas, context, isSmooth: false };
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return { canvas: smooth, context: better, isSmooth: true };
}

export class Stage {
  /** Called when the drawing context was lost and is there again: nothing on the shared canvas is good any more. */
  onrestored = (): void => undefined;
  readonly #renderer: WebGLRenderer;
  readonly #isSmooth: boolean;
  readonly #camera = new PerspectiveCamera();
  /** By look, the one that was used last at the end: a program that nobody uses is compiled anew. */
  readonly #materials = new Map<string, Material>();
  #quick = QUICK_AT_FIRST;
  #width = 1;
  #height = 1;

  /** Throws where the browser has no WebGL. */
  constructor() {
    const { canvas, context, isSmooth } = drawingContext();
    this.#isSmooth = isSmooth;
    this.#renderer = new WebGLRenderer({ canvas, context, alpha: true });
    this.#renderer.outputColorSpace = LinearSRGBColorSpace;
    this.#renderer.setClearColor(0x000000, 0);
    this.#renderer.setScissorTest(true);
    canvas.addEventListener('webglcontextrestored', () => {
      // After three.js has heard of it.
      queueMicrotask(() => this.onrestored());
    });
  }

  draw(model: Model, look: Look, view: View, target: CanvasRenderingContext2D): void {
    const renderer = this.#renderer;
    if (renderer.getContext().isContextLost()) return;
    const isMoving = view.movingCount > 0;
    const most = isMoving ? Math.max(QUICK_LEAST, this.#quick / view.movingCount) : Infinity;
    const { object, count } = model.shown(look, most);
    object.material = this.#materialFor(look, object instanceof Points);
    const scale = this.#isSmooth || isMoving || count > SMOOTHED_MOST ? 1 : 2;
    const width = Math.min(MOST_TEXTURE_PX, Math.round(view.width * scale));
    const height = Math.min(MOST_TEXTURE_PX, Math.round(view.height * scale));
    this.#makeRoom(width, height);
    model.tune(object, look, scale, height / this.#height, count);
    model.light(look.lights, view.camera);
    this.#aim(view, model);
    const startMs = performance.now();
    renderer.setViewport(0, 0, width, height);
    renderer.setScissor(0, 0, width, height);
    renderer.clear();
    renderer.render(model.scene, this.#camera);
    if (isMoving && count > QUICK_LEAST) this.#learn(count, startMs);
    target.clearRect(0, 0, view.width, view.height);
    target.drawImage(
      renderer.domElement,
      ...[0, this.#height - height, width, height],
      ...([0, 0, view.width, view.height] as const),
    );
  }

  #materialFor(look: Look, isPoints: boolean): Material {
    const { surface, isFlat, colours, colour, pointPx, material } = look;
    const key = JSON.stringify([isPoints, surface, isFlat, colours === null, colour, pointPx, material]);
    const made = this.#materials.get(key) ?? (isPoints ? pointsMaterial(look) : faceMaterial(look));
    this.#materials.delete(key);
    this.#materials.set(key, made);
    for (const [oldest, one] of this.#materials) {
      if (this.#materials.size <= MOST_MATERIALS) break;
      this.#materials.delete(oldest);
      one.dispose();
    }
    return made;
  }

  /** The canvas only grows: another size costs more than a picture. */
  #makeRoom(width: number, height: number): void {
    if (width <= this.#width && height <= this.#height) return;
    this.#width = Math.max(width, this.#width);
    this.#height = Math.max(height, this.#height);
    this.#renderer.setSize(this.#width, this.#height, false);
  }

  #aim({ camera, fovDeg, width, height }: View, model: Model): void {
    const three = this.#camera;
    three.fov = fovDeg;
    three.aspect = width / height;
    three.near = camera.near;
    three.far = camera.far;
    three.up.set(...camera.up);
    three.position.set(...camera.position);
    three.lookAt(...camera.target);
    three.updateProjectionMatrix();
    model.scene.updateMatrixWorld();
  }

  /** How long it takes is known only when a pixel is asked for. */
  #learn(count: number, startMs: number): void {
    const gl = this.#renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    const tookMs = Math.max(1, performance.now() - startMs);
    const better = (count * MOVING_MS) / tookMs;
    this.#quick = Math.max(QUICK_LEAST, 0.5 * (this.#quick + Math.min(better, 4 * this.#quick)));
  }
}

/** all: the faces. coarse: fewer of them. points: the vertices. spread: in an order of which a part is taken. */
type Variant = 'all' | 'coarse' | 'points' | 'spread';

/** One mesh on the graphics card. */
export class Model {
  readonly scene = new Scene();
  readonly #mesh: DecodedMesh;
  readonly #box: Box;
  /** Of all variants, which differ in what they draw of it. */
  readonly #attributes: BufferGeometry['attributes'];
  readonly #variants = new Map<Variant, BufferGeometry>();
  readonly #lights: Light[] = [];
  #object: Mesh | Points | null = null;
  #colours: Uint8Array | null = null;
  #litAs: readonly LoggedLight[] | null = null;

  constructor(mesh: DecodedMesh, box: Box) {
    this.#mesh = mesh;
    this.#box = box;
    const { vertices } = mesh;
    const [x, y, z] = centreOf(box);
    // Around zero: numbers of 32 bits are too coarse for small things that are far away.
    const near = new Float32Array(vertices.length);
    for (let i = 0; i + 2 < near.length; i += 3) {
      near[i] = vertices[i]! - x;
      near[i + 1] = vertices[i + 1]! - y;
      near[i + 2] = vertices[i + 2]! - z;
    }
    this.#attributes = { position: new BufferAttribute(near, 3) };
  }

  /** What is drawn, of so many points or faces at most if that can be. */
  shown(look: Look, most: number): { object: Mesh | Points; count: number } {
    const { vertices, faces } = this.#mesh;
    const isCloud = faces.length === 0;
    const isPoints = isCloud || look.surface === 'points';
    const available = (isPoints ? vertices : faces).length / 3;
    const isMuch = available > most;
    const geometry = this.#variant(isPoints ? (isMuch ? 'spread' : 'points') : isMuch ? 'coarse' : 'all');
    const count = isPoints ? Math.min(available, Math.floor(most)) : geometry.index!.count / 3;
    if (isPoints) geometry.setDrawRange(0, count);
    this.#setColours(look.colours);
    if (!isPoints && !look.isFlat && this.#attributes['normal'] === undefined)
      this.#variant('all').computeVertexNormals();
    const object = this.#objectFor(isPoints);
    object.geometry = geometry;
    return { object, count };
  }

  /** Sizes that depend on the picture. */
  tune({ material }: Mesh | Points, look: Look, scale: number, share: number, count: number): void {
    if (!(material instanceof PointsMaterial)) return;
    if (material.sizeAttenuation) {
      material.size = (look.material?.size ?? 1) * share;
      return;
    }
    const all = this.#mesh.vertices.length / 3;
    // Fewer of them are a little larger.
    const wider = Math.min(2, Math.sqrt(all / Math.max(1, count)));
    material.size = (look.pointPx || usualPointPx(all)) * scale * wider;
  }

  light(logged: readonly LoggedLight[] | null, { position, target }: Camera): void {
    if (this.#litAs !== logged || this.#lights.length === 0) {
      for (const light of this.#lights) this.scene.remove(light);
      this.#lights.splice(0, Infinity, ...(logged?.map(lightOf) ?? usualLights()));
      this.scene.add(...this.#lights);
      this.#litAs = logged;
    }
    if (logged !== null) return;
    // Comes from where one looks, so that no side is dark. Its target is the middle of the scene.
    for (const light of this.#lights) {
      if (!(light instanceof DirectionalLight)) continue;
      light.position.set(position[0] - target[0], position[1] - target[1], position[2] - target[2]);
    }
  }

  destroy(): void {
    for (const geometry of this.#variants.values()) geometry.dispose();
  }

  #variant(name: Variant): BufferGeometry {
    let geometry = this.#variants.get(name);
    if (geometry === undefined) {
      geometry = new BufferGeometry();
      geometry.attributes = this.#attributes;
      const index = this.#indexOf(name);
      if (index !== null) geometry.setIndex(new BufferAttribute(index, 1));
      this.#variants.set(name, geometry);
    }
    return geometry;
  }

  #indexOf(name: Variant): Uint32Array<ArrayBuffer> | null {
    const { vertices, faces } = this.#mesh;
    if (name === 'all') return faces;
    if (name === 'coarse') return coarseFaces(vertices, faces, this.#box, COARSE_CELLS);
    return name === 'spread' ? spreadOrder(vertices.length / 3) : null;
  }

  #objectFor(isPoints: boolean): Mesh | Points {
    if (this.#object instanceof (isPoints ? Points : Mesh)) return this.#object;
    if (this.#object !== null) this.scene.remove(this.#object);
    const object = isPoints ? new Points() : new Mesh();
    object.position.set(...centreOf(this.#box));
    object.frustumCulled = false;
    this.scene.add(object);
    this.#object = object;
    return object;
  }

  /** All share one buffer, which the graphics card has until the end. Without colours no material asks for it. */
  #setColours(colours: Uint8Array<ArrayBuffer> | null): void {
    if (colours === null || this.#colours === colours) return;
    this.#colours = colours;
    const known = this.#attributes['color'];
    if (known === undefined) this.#attributes['color'] = new BufferAttribute(withFourth(colours), 4, true);
    else (known as BufferAttribute).copyArray(withFourth(colours)).needsUpdate = true;
  }
}

/** Four bytes for each vertex: three are taken apart one by one, which is slower than drawing them. */
function withFourth(colours: Uint8Array): Uint8Array<ArrayBuffer> {
  const wide = new Uint8Array((colours.length / 3) * 4).fill(255);
  for (let from = 0, to = 0; from < colours.length; from += 3, to += 4) {
    wide[to] = colours[from]!;
    wide[to + 1] = colours[from + 1]!;
    wide[to + 2] = colours[from + 2]!;
  }
  return wide;
}

function usualPointPx(count: number): number {
  return count < 5_000 ? 4 : count < 50_000 ? 3 : count < 300_000 ? 2 : 1.5;
}

function pointsMaterial(look: Look): PointsMaterial {
  const isAttenuated = look.pointPx === 0 && (look.material?.size ?? null) !== null;
  const made = new PointsMaterial({ ...tintOf(look), sizeAttenuation: isAttenuated });
  if (isAttenuated || (look.pointPx || ROUND_FROM_PX) >= ROUND_FROM_PX) {
    made.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        'void main() {',
        'void main() {\n  if (length(gl_PointCoord - 0.5) > 0.5) discard;',
      );
    };
    made.customProgramCacheKey = () => 'round';
  }
  return made;
}

function faceMaterial(look: Look): Material {
  const { material } = look;
  const shared = {
    side: DoubleSide,
    wireframe: look.surface === 'wires' || (material?.isWires ?? false),
    // A logged one is not made smooth by what is usual.
    flatShading: look.isFlat || (material?.isFlat ?? false),
  };
  const tinted = { ...shared, ...tintOf(look) };
  // Without light: of wires both sides are seen.
  if (shared.wireframe && material === null)
    return new MeshBasicMaterial({ wireframe: true, ...tintOf(look) });
  switch (material?.type) {
    case 'MeshStandardMaterial':
      return new MeshStandardMaterial({
        ...tinted,
        roughness: material.roughness,
        metalness: material.metalness,
      });
    case 'MeshPhongMaterial':
      return new MeshPhongMaterial({ ...tinted, shininess: material.shininess });
    case 'MeshBasicMaterial': {
      const { flatShading: _, ...basic } = tinted;
      return new MeshBasicMaterial(basic);
    }
    case 'MeshNormalMaterial':
      return new MeshNormalMaterial(shared);
    default:
      return new MeshLambertMaterial(tinted);
  }
}

function tintOf({ colours, colour, material }: Look) {
  const opacity = material?.opacity ?? 1;
  const plain = colours === null ? colour : 0xffffff;
  return {
    vertexColors: colours !== null,
    color: material?.color ?? plain,
    opacity,
    transparent: opacity < 1,
  };
}

function usualLights(): Light[] {
  return [
    new HemisphereLight(0xffffff, 0x8a8a8a, 0.5 * LIGHT_SCALE),
    new DirectionalLight(0xffffff, 0.5 * LIGHT_SCALE),
  ];
}

function lightOf({ type, color, intensity, position }: LoggedLight): Light {
  const strength = intensity * LIGHT_SCALE;
  switch (type) {
    case 'AmbientLight':
      return new AmbientLight(color, strength);
    case 'HemisphereLight':
      return new HemisphereLight(color, 0x000000, strength);
    case 'PointLight': {
      const light = new PointLight(color, strength, 0, 0);
      light.position.set(...position);
      return light;
    }
    case 'DirectionalLight': {
      const light = new DirectionalLight(color, strength);
      light.position.set(...position);
      return light;
    }
  }
}
