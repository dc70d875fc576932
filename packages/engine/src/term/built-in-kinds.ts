/** Importing this file registers the kinds of terms that come with the engine. */
import { createMagnet, type MagnetParameters, magnetSchema } from './magnet.ts';
import { createSpringNetwork, type SpringNetworkParameters, springNetworkSchema } from './spring-network.ts';
import { registerTerm } from './term-registry.ts';
import { createWind, type WindParameters, windSchema } from './wind.ts';

registerTerm({
  kind: 'springNetwork',
  schema: springNetworkSchema,
  create: (model, parameters) => createSpringNetwork(model, parameters as unknown as SpringNetworkParameters),
});
registerTerm({
  kind: 'magnet',
  schema: magnetSchema,
  create: (model, parameters) => createMagnet(model, parameters as unknown as MagnetParameters),
});
registerTerm({
  kind: 'wind',
  schema: windSchema,
  create: (model, parameters) => createWind(model, parameters as unknown as WindParameters),
});
