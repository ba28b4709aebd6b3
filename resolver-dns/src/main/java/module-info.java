/** Names looked up at DNS servers, by netty-resolver-dns. */
module dev.gannet.resolver.dns {
  requires transitive dev.gannet.client;
  requires dev.gannet.serviceconfig;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.dns;
  requires io.netty.common;
  requires io.netty.resolver;
  requires io.netty.resolver.dns;
  requires io.netty.transport;
  requires static org.jspecify;

  exports dev.gannet.resolver.dns;

  provides dev.gannet.client.resolver.NameResolverProvider with
      dev.gannet.resolver.dns.DnsNameResolverProvider;
}
