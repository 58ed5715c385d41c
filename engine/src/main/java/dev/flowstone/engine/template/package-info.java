/**
 * Document templates: sets, and templates in versions that never change. The newest version that isn't off is the one that is meant
 * where none is named. What every tenant may use is {@link dev.flowstone.engine.template.Templates#EVERYBODY}'s; a tenant's own set
 * hides one of the same id there.
 */
@NullMarked
package dev.flowstone.engine.template;

import org.jspecify.annotations.NullMarked;
