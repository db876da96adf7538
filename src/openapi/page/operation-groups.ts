import { type OpenApiDocument } from '../../http/openapi/document.js';
import { type NamedOperation } from './operation-page.js';

/** The operations of one tag. */
export interface OperationGroupSection {
  name: string;
  description: string;
  operations: NamedOperation[];
}

/** The document's operations in the order of reading: those of customers first. */
export function operationGroups({
  paths,
  tags,
  'x-tagGroups': groups,
}: OpenApiDocument): { name: string; sections: OperationGroupSection[] }[] {
  const all: NamedOperation[] = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: all.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length > 0);
  return groups.map((group) => ({
    name: group.name,
    sections: sections.filter(({ name }) => group.tags.includes(name)),
  }));
}
