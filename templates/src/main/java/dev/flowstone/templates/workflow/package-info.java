/**
 * Workflow templates: definitions with places that values of a config go into (dataflow.md §3.6). A place is an object {@code {"$config":
 * "/channel"}}, which becomes the value that the pointer leads to. Values come in as JSON and never as text of an expression: what a
 * config says is data in the workflow that is made.
 */
@NullMarked
package dev.flowstone.templates.workflow;

import org.jspecify.annotations.NullMarked;
