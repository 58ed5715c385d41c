/**
 * Templates of documents and of workflows.
 *
 * <p>Document templates: sets, and templates in versions that never change. The newest version that isn't off is the one that is meant
 * where none is named. What every tenant may use is {@link dev.flowstone.engine.template.Templates#EVERYBODY}'s; a tenant's own set
 * hides one of the same id there.
 *
 * <p>Workflow templates: definitions with places for a config, in versions that never change. They are never run; drafts of workflows are
 * made of them. Official ones are {@link dev.flowstone.engine.template.WorkflowTemplates#HOUSE}'s.
 */
@NullMarked
package dev.flowstone.engine.template;

import org.jspecify.annotations.NullMarked;
