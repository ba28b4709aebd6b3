/** Calls between clients and servers of one process, without a network. */
module dev.gannet.transport.inprocess {
  requires static org.jspecify;
  requires transitive dev.gannet.api;
  requires dev.gannet.protocol;
  requires dev.gannet.transport;

  exports dev.gannet.transport.inprocess;

  provides dev.gannet.transport.TransportFactory with
      dev.gannet.transport.inprocess.spi.InProcessFactory;
}
