package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a server shows itself, and makes sure of its clients. Kinds may be added, here and elsewhere:
 * a transport refuses one that it does not know.
 */
public interface ServerCredentials {
  /** What a server asks of its clients' certificates. */
  enum ClientAuth {
    NONE,
    /** A client may show a certificate; one that is shown must be good. */
    OPTIONAL,
    /** A client without a good certificate is turned away. */
    REQUIRE
  }

  /** No TLS. */
  final class Insecure implements ServerCredentials {
    private static final Insecure INSECURE = new Insecure();

    private Insecure() {}

    @Override
    public String toString() {
      return "insecure";
    }
  }

  /** TLS. Immutable. */
  final class Tls implements ServerCredentials {
    private static final Pattern SERVER_NAME =
        Pattern.compile("(\\*\\.)?[a-z0-9_-]+(\\.[a-z0-9_-]+)*");

    private final TlsIdentity identity;
    private final Map<String, TlsIdentity> identities;
    private final ClientAuth clientAuth;
    private final @Nullable TlsTrust clientTrust;

    private Tls(
        TlsIdentity identity,
        Map<String, TlsIdentity> identities,
        ClientAuth clientAuth,
        @Nullable TlsTrust clientTrust) {
      this.identity = Objects.requireNonNull(identity, "identity");
      this.identities = identities;
      this.clientAuth = Objects.requireNonNull(clientAuth, "clientAuth");
      this.clientTrust = clientTrust;
    }

    /** Asks clients for certificates by these signers. */
    public Tls withClientAuth(ClientAuth clientAuth, Pem trust) {
      return withClientAuth(clientAuth, TlsTrust.of(trust));
    }

    /** Asks clients for certificates that this trusts. */
    public Tls withClientAuth(ClientAuth clientAuth, TlsTrust trust) {
      return new Tls(identity, identities, clientAuth, Objects.requireNonNull(trust, "trust"));
    }

    /**
     * Shows another identity to clients that ask for that server name (SNI, RFC 6066 §3). Those who
     * ask for no name that is known here are shown the {@linkplain #identity first one}.
     *
     * @param serverName a DNS name; {@code *.example.com} stands for all names with one label more
     * @throws IllegalArgumentException if it is no DNS name
     */
    public Tls withIdentity(String serverName, TlsIdentity identity) {
      String name = serverName.toLowerCase(Locale.ROOT);
      if (!SERVER_NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "not a DNS name, optionally with *. in front: '" + serverName + "'");
      }
      Map<String, TlsIdentity> more = new LinkedHashMap<>(identities);
      more.put(name, Objects.requireNonNull(identity, "identity"));
      return new Tls(this.identity, Collections.unmodifiableMap(more), clientAuth, clientTrust);
    }

    /** What the server shows to its clients. */
    public TlsIdentity identity() {
      return identity;
    }

    /** What it shows to those that ask for a name, by names in lower case. */
    public Map<String, TlsIdentity> identities() {
      return identities;
    }

    /** What it asks of its clients' certificates. */
    public ClientAuth clientAuth() {
      return clientAuth;
    }

    /** Whose certificates are accepted; empty means the JVM's own trust store. */
    public Optional<TlsTrust> clientTrust() {
      return Optional.ofNullable(clientTrust);
    }

    @Override
    public String toString() {
      return "TLS";
    }
  }

  static ServerCredentials insecure() {
    return Insecure.INSECURE;
  }

  /** TLS that asks clients for nothing. */
  static Tls tls(TlsIdentity identity) {
    return new Tls(identity, Map.of(), ClientAuth.NONE, null);
  }
}
