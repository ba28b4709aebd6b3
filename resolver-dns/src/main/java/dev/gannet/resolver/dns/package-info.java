/**
 * Targets of {@code dns}, looked up at DNS servers: A, AAAA, and the service config in TXT records.
 *
 * <p>What does not belong here: what a service config says, and everything that happens once the
 * addresses are known.
 */
@NullMarked
package dev.gannet.resolver.dns;

import org.jspecify.annotations.NullMarked;
