/** Importing this file makes scenes with cameras, lights, textures and skins available. */
import { compileLook } from './model/look.ts';
import { LOOKS } from './model/look-access.ts';
import { PICTURES } from './scene/picture-access.ts';
import * as schemas from './scene/schemas/picture.ts';
import { checkPictures } from './scene/validation/pictures.ts';

LOOKS.provide(compileLook);
PICTURES.provide({ schemas, checkPictures });
