/**
 * Documents from templates: checks what is written as one, and renders it with answers and extras.
 *
 * <pre>
 * draft ──DocumentTemplates.check──▶ faults                    (fields, their schema, body)
 * version + answers + extras ──DocumentTemplates.render──▶ a document, or why there is none
 * </pre>
 */
@NullMarked
package dev.flowstone.templates;

import org.jspecify.annotations.NullMarked;
