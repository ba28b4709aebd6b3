package dev.gannet.suites;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/** The JDK's way to look up names, for the whole JVM, with one name that it does not survive. */
public final class BreakableResolver extends InetAddressResolverProvider {
  static final String BREAKING_NAME = "breaking.invalid";

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return new Breakable(configuration.builtinResolver());
  }

  @Override
  public String name() {
    return "breakable";
  }

  private record Breakable(InetAddressResolver builtin) implements InetAddressResolver {
    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      if (host.equals(BREAKING_NAME)) {
        throw new LinkageError("the resolver broke");
      }
      return builtin.lookupByName(host, policy);
    }

    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
      return builtin.lookupByAddress(address);
    }
  }
}
