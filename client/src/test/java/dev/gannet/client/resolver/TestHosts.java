package dev.gannet.client.resolver;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.Set;
import java.util.stream.Stream;

/** The JDK's way to look up names, for the whole JVM of the tests: it knows only these names. */
public final class TestHosts extends InetAddressResolverProvider {
  static final String TWO_ADDRESSES = "two.test";
  static final String BREAKING = "breaking.test";
  static final String BREAKING_SILENTLY = "silently.breaking.test";

  /** Nearly addresses, but names to the JDK. */
  static final Set<String> LIKE_ADDRESSES =
      Set.of("1.2.3.400", "256.2.3.4", "1.2.3.4.", ".::1", ".1:2");

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return new Known();
  }

  @Override
  public String name() {
    return "test hosts";
  }

  private record Known() implements InetAddressResolver {
    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      if (LIKE_ADDRESSES.contains(host)) {
        return Stream.of(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 3}));
      }
      return switch (host) {
        case TWO_ADDRESSES ->
            Stream.of(
                InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}),
                InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 2}));
        case BREAKING -> throw new LinkageError("the resolver broke");
        case BREAKING_SILENTLY -> throw new LinkageError();
        default -> throw new UnknownHostException(host);
      };
    }

    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
      throw new UnknownHostException("no names here");
    }
  }
}
