/**
 * What generated code, interceptors and libraries touch: channels and calls, methods and
 * marshallers, metadata, status, deadlines, credentials, interceptors, and the seams for resolvers
 * and balancers.
 *
 * <p>It needs the JDK alone. No engine, no wire format and no transport may come in here, and no
 * type that users and generated code can do without.
 */
@NullMarked
package dev.gannet.api;

import org.jspecify.annotations.NullMarked;
