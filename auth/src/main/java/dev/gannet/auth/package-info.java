/**
 * OAuth2 and other token services, by google-auth-library.
 *
 * <p>Does not belong here: fixed tokens and token files, which are in {@code
 * dev.gannet.api.CallCredentials}, and the choice of a token service.
 */
@NullMarked
package dev.gannet.auth;

import org.jspecify.annotations.NullMarked;
