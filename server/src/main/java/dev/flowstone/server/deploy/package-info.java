/**
 * Deploying a folder: what its files say ({@link dev.flowstone.server.deploy.Folder}), what a server has ({@link
 * dev.flowstone.server.deploy.Remote}) and what this deployment put there before ({@link dev.flowstone.server.deploy.Ledger})
 * become a plan, and the plan is carried out. What is applied twice is done once; what others made or changed stays unless
 * somebody says otherwise (ADR 50).
 *
 * <p>A kind of things that are deployed is a {@link dev.flowstone.server.deploy.Piece}: how its file is told from others and
 * read, and how it is planned and carried out.
 */
@NullMarked
package dev.flowstone.server.deploy;

import org.jspecify.annotations.NullMarked;
