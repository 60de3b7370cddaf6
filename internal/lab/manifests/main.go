// Command manifests reads Kubernetes manifests from standard input into Kubernetes' own types, rejecting unknown keys.
// Then it checks references between the manifests, which schemas can't check. It is a separate module, so that Vitrine
// doesn't depend on Kubernetes. `make manifests` runs it.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := run(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}

type site struct {
	deployment appsv1.Deployment
	service    corev1.Service
	ingress    networkingv1.Ingress
	budget     policyv1.PodDisruptionBudget
}

func run(in io.Reader) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	var s site
	seen := 0
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal(document, &kind); err != nil {
			return err
		}
		into := map[string]any{
			"apps/v1 Deployment": &s.deployment, "v1 Service": &s.service, "networking.k8s.io/v1 Ingress": &s.ingress, "policy/v1 PodDisruptionBudget": &s.budget,
		}[kind.APIVersion+" "+kind.Kind]
		if into == nil {
			return fmt.Errorf("%s %s is not a known Kubernetes kind", kind.APIVersion, kind.Kind)
		}
		if err := yaml.UnmarshalStrict(document, into); err != nil {
			return fmt.Errorf("%s: %w", kind.Kind, err)
		}
		seen++
		fmt.Printf("%s %s: Kubernetes knows every key\n", kind.APIVersion, kind.Kind)
	}
	if seen != 4 {
		return fmt.Errorf("found %d manifests, want 4", seen)
	}
	return s.check()
}

// check checks that selectors match labels, ports refer to named ports, and mounts refer to volumes.
func (s *site) check() error {
	pod := s.deployment.Spec.Template
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		for _, m := range c.VolumeMounts {
			if !slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name }) {
				return fmt.Errorf("the container %s mounts %s, which is not a volume of the pod", c.Name, m.Name)
			}
		}
	}
	ports := make(map[string]bool)
	for _, p := range pod.Spec.Containers[0].Ports {
		ports[p.Name] = true
	}
	for name, selector := range map[string]*metav1.LabelSelector{
		"Deployment": s.deployment.Spec.Selector, "PodDisruptionBudget": s.budget.Spec.Selector, "Service": {MatchLabels: s.service.Spec.Selector},
	} {
		chosen, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if chosen.Empty() || !chosen.Matches(labels.Set(pod.Labels)) {
			return fmt.Errorf("the selector of the %s, %s, does not match the labels of the pods, %v", name, chosen, pod.Labels)
		}
	}
	for _, probe := range []*corev1.Probe{pod.Spec.Containers[0].ReadinessProbe, pod.Spec.Containers[0].LivenessProbe} {
		if probe == nil || probe.HTTPGet == nil || !ports[probe.HTTPGet.Port.StrVal] {
			return fmt.Errorf("the port of the probe %v is not a named port of the container", probe)
		}
	}
	if port := s.service.Spec.Ports[0]; !ports[port.TargetPort.StrVal] {
		return fmt.Errorf("the Service points to the port %q, which is not a named port of the container", port.TargetPort.StrVal)
	}
	backend := s.ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service
	if backend.Name != s.service.Name || !slices.ContainsFunc(s.service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Name == backend.Port.Name }) {
		return fmt.Errorf("the Ingress points to the service %q and the port %q, which are not those of the Service", backend.Name, backend.Port.Name)
	}
	replicas := int32(1)
	if s.deployment.Spec.Replicas != nil {
		replicas = *s.deployment.Spec.Replicas
	}
	if least := s.budget.Spec.MinAvailable; least == nil || least.IntVal >= replicas {
		return fmt.Errorf("minAvailable is %[2]v for %[1]d pods, so no node can be drained; set a smaller minAvailable", replicas, least)
	}
	return nil
}
